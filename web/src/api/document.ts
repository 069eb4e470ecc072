// The description of the API, which the reference shows.
export async function fetchOpenApiDocument(): Promise<unknown> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`openapi.json: HTTP ${response.status}`);
  return response.json();
}
