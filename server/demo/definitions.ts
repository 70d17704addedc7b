/** The custom types of the invented organisation. */
export const definitions = [
  { name: 'Exposure', type: 'exposure' },
  { name: 'Third party', type: 'third-party' },
  { name: 'Fraud case', type: 'fraud-case' },
] as const
