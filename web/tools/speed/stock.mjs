// The alternative that starting is measured against: stock loadPyodide, micropip, the wheel, the first verdict.
export async function stockVerdict(loadPyodide, options, wheels, wheel) {
  const python = await loadPyodide(options);
  for (const bytes of wheels) python.unpackArchive(bytes, "wheel");
  python.FS.writeFile(`/tmp/${wheel.name}`, wheel.bytes);
  await python.runPythonAsync(`import micropip\nawait micropip.install("emfs:/tmp/${wheel.name}")`);
  return python.runPython(
    'import edgegate\nedgegate.check("Someone said Alice was promoted.", "Alice was promoted.").verdict.value',
  );
}
