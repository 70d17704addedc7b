/** The verdicts at which a rule may stop, from the weakest. */
export const STOP_AT = ['safe', 'low', 'medium', 'high'] as const
