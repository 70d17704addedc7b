import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const emailSubject = {
  type: 'email-subject',
  label: 'email subject',
  ...freeText('the subject of an e-mail', 'Re: your invoice'),
  stix: (value) => ({ type: 'email-message', is_multipart: false, subject: value }),
  misp: ['email-subject', 'Payload delivery'],
} as const satisfies ObservableDefinition
