// Requests of files that are no API routes.

/** Whether the service answers at all. */
export const isServiceReachable = (): Promise<boolean> =>
  fetch('/icon.svg', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/** The bytes of a file that is built into the pages. */
export async function fetchAsset(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  return response.arrayBuffer();
}
