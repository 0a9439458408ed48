// A module can only be imported at run time from JavaScript.
export const load = (address) => import(address);
