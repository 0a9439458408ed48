// Like the kit, a module that is imported at run time; it resolves once its own wasm is there. What a network has failed
// to bring is asked for again, with longer and longer pauses. A browser may keep a failed import of an address for as long
// as the page lives (the HTML standard's module map), so each time has an address of its own.
export const load = async (address, failed) => {
  for (let pause = 1000; ; pause = Math.min(2 * pause, 60000)) {
    try {
      const module = await import(address);
      await module.default();
      return module;
    } catch (error) {
      failed(error);
      await new Promise((resolve) => setTimeout(resolve, pause));
      address += "?";
    }
  }
};
