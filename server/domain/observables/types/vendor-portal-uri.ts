import type { ObservableDefinition } from '../definition.ts'
import { uri } from './uri.ts'

export const vendorPortalUri = {
  type: 'vendor-portal-uri',
  aliases: ['fox-it-portal-uri'],
  form: uri.form,
  maximum: uri.maximum,
  normalise: uri.normalise,
  defanging: 'uri',
  examples: uri.examples,
} as const satisfies ObservableDefinition
