// A module can only be imported at run time from JavaScript.
export const load = (address) => import(address);

// The form of the page of settings; what `place` says is failed when it does not come.
export const loadForm = (address, place) =>
  import(address).catch(() => {
    place.textContent = place.dataset.failed;
  });

// The page's tools; resolves once their own wasm is there. `failed` is told of each time that is in vain, or that takes
// too long to wait for. What a network has failed to bring is asked for again, with longer and longer pauses, or as soon
// as it is back. A browser may keep a failed import of an address for as long as the page lives (the HTML standard's
// module map), so each time has an address of its own.
export const loadPageTools = async (address, failed) => {
  for (let pause = 1000; ; pause = Math.min(2 * pause, 60000)) {
    const late = setTimeout(failed, 10000, "late");
    try {
      const module = await import(address);
      await module.default();
      return module;
    } catch (error) {
      failed(error);
      await new Promise((resume) => {
        setTimeout(resume, pause);
        addEventListener("online", resume, { once: true });
      });
      address += "?";
    } finally {
      clearTimeout(late);
    }
  }
};
