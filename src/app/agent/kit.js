// A module can only be imported at run time from JavaScript.
export const load = (address) => import(address);

// The form of the page of settings; what `place` says is failed when it does not come.
export const loadForm = (address, place) =>
  import(address).catch(() => {
    place.textContent = place.dataset.failed;
  });
