/** A page of routes.ts: the pattern of its addresses, its file, and the namespaces that its route loads. */
export type PageRoute = { pattern: string; path: string; isGuest: boolean; texts: string[] };
export function readRoutes(): PageRoute[];
