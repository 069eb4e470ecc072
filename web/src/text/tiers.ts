const TIERS = ['free', 'standard', 'premium'];

/** Whether an account of the tier `own` may use a voice of the tier `required`. Each tier includes the ones below it. */
export const isTierIncluded = (required: string, own: string): boolean => TIERS.indexOf(required) <= TIERS.indexOf(own);
