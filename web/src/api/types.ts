// The types of requests and responses, generated from openapi.json.
import type { components } from './schema';

export type Schemas = components['schemas'];
