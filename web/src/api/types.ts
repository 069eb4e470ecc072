// The types of requests and responses, generated from openapi.json.
import type { components } from './schema';

export type Schemas = components['schemas'];
/** A voice as the pages show it: the API calls it an e-reader. */
export type Voice = Schemas['WebEreader'];
