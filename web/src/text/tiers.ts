// Tiers are cumulative.
const order = ['free', 'standard', 'premium'];

/** Whether an account of the tier `mine` may use what is of this tier. */
export const isWithin = (tier: string, mine: string): boolean => order.indexOf(tier) <= order.indexOf(mine);
