import type { Schemas } from '../api/types';

type Provider = Schemas['PaymentProvider'];

/** Where the browser goes to pay; null where the operator approves instead. A provider that is missing here does not compile. */
const checkouts: Record<Provider, string | null> = {
  manual: null,
  stripe: 'Stripe',
};

/** The name of the page on which a customer pays with this provider, if there is one. */
export const checkoutOf = (provider: Provider): string | null => checkouts[provider];
