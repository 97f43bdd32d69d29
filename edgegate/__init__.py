"""edgegate: filters what a language model says and what a product remembers, on the device."""
