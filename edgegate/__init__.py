"""edgegate: filters what a language model says and what a product remembers, on the device."""

__version__ = "0.1.0"
