import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const certificateSubject = {
  type: 'certificate-subject',
  ...freeText('the subject of a certificate', 'CN=www.example.com', 8_192),
  stix: stixObject('x509-certificate', 'subject'),
} as const satisfies ObservableDefinition
