import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const certificateIssuer = {
  type: 'certificate-issuer',
  ...freeText('the issuer of a certificate', 'CN=Example Root CA, O=Example, C=NL', 8_192),
  stix: stixObject('x509-certificate', 'issuer'),
} as const satisfies ObservableDefinition
