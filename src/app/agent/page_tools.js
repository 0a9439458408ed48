// Like the kit, a module that is imported at run time; it resolves once its own wasm is there.
export const load = async (address) => {
  const module = await import(address);
  await module.default();
  return module;
};
