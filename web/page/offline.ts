/** Makes the page work without a network, and offers a new version when one is ready. */
import { TAKE_OVER } from "../src/offline.ts";
import { element, find } from "./dom.ts";

/** Registers the service worker where there can be one. Call it when the page is ready: it downloads everything again. */
export async function setUpOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return;
  const note = find("offline", HTMLElement);
  const { serviceWorker } = navigator;
  const hadOne = serviceWorker.controller !== null;
  const registration = await serviceWorker.register("sw.js", { updateViaCache: "none" });

  const offer = (): void => {
    const button = element("button", "quiet", "Use the new version");
    button.type = "button";
    button.addEventListener("click", () => {
      serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      registration.waiting?.postMessage(TAKE_OVER);
      note.textContent = "The new version starts when the other tabs of this page are closed.";
    });
    note.replaceChildren("A new version is ready. ", button);
  };
  const settled = (worker: ServiceWorker | null): void => {
    if (worker?.state === "installed" && hadOne) offer();
    else if (worker?.state === "activated") note.textContent = "It works without a network, too.";
  };
  const follow = (worker: ServiceWorker | null): void => {
    settled(worker);
    worker?.addEventListener("statechange", () => settled(worker));
  };
  follow(registration.active);
  follow(registration.waiting);
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing));
}
