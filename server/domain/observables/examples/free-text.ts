import type { ObservableType } from '../types.ts'
import { CONTROL, type Examples } from './form.ts'

/** Values of types without a form of their own are folded like this one. */
const folded = (value: string): Examples => ({
  good: [
    [value, value],
    [`  ${value} \t`, value],
    [`${value}  e\u0301\n2`, `${value} \u00e9 2`],
  ],
  bad: [
    '',
    ' \n',
    CONTROL,
    'a\0b',
    '\u200b',
    '\ud800',
    'x'.repeat(8_193),
    `e${'\u0301'.repeat(31)}`,
    `e${'\u0344'.repeat(20)}`,
  ],
})

/** Lines for machines are kept like this one. */
const kept = (value: string): Examples => ({
  good: [
    [value, value],
    [`${value}  e\u0301 `, `${value}  e\u0301`],
  ],
  bad: ['', ' ', CONTROL, `${value}\n2`, 'a\0b', '\udc00', 'x'.repeat(65_537)],
})

const word = (value: string): Examples => ({
  good: [
    [value, value],
    [` ${value}\n`, value],
  ],
  bad: ['', 'two words', CONTROL, 'x'.repeat(1_025)],
})

/** Whole texts are kept to the byte, only without the white space around them. */
const verbatim = (value: string): Examples => ({
  good: [
    [value, value],
    [`\r\n${value}\r\n\t x  y\u0001`, `${value}\r\n\t x  y\u0001`],
  ],
  bad: ['', ' \n ', 'a\0b', 'x'.repeat(65_537)],
})

/** Values without a form of their own. */
export const freeTextExamples = {
  'account-id': folded('1029384756'),
  'actor-id': folded('UNC0000'),
  address: folded('1 Example Street, 1000 Exampleville'),
  'card-owner': folded('J. Doe'),
  'certificate-issuer': folded('CN=Example Root CA, O=Example, C=NL'),
  'certificate-subject': folded('CN=www.example.com'),
  city: folded('Amsterdam'),
  'cloud-storage-bucket': word('s3://example-bucket'),
  company: folded('Example B.V.'),
  'container-cluster-name': folded('example-cluster'),
  'container-image-name': word('registry.example.com/team/Image:1.0@sha256:00'),
  'container-registry-account-name': folded('example'),
  country: folded('Netherlands'),
  'cpu-architecture': folded('x86_64'),
  'device-fingerprint': kept('Canvas:0f1e2d;Fonts:12'),
  'email-subject': folded('Re: your invoice'),
  file: kept('C:\\Program Files\\Example\\a.exe'),
  'forum-name': folded('Example Forum'),
  'forum-room': folded('Marketplace'),
  'forum-thread': folded('Selling examples'),
  handle: folded('@Example'),
  industry: folded('Energy & Utilities'),
  malware: folded('Example RAT'),
  'malware-key': kept('k3y  with spaces'),
  mutex: kept('Global\\Example  Mutex'),
  name: folded('Jane Doe'),
  nationality: folded('Dutch'),
  netname: folded('EXAMPLE-NET'),
  organization: folded('Example Foundation'),
  person: folded('Jane Doe'),
  process: verbatim('powershell.exe -enc "AA=="  -w hidden'),
  'process-name': kept('svc host.exe'),
  product: folded('Example Server 2.0'),
  region: folded('Noord-Holland'),
  registrar: folded('Example Registrar, Inc.'),
  rule: verbatim('title: Example\nstatus: test'),
  snort: verbatim('alert tcp any any -> any 80 (msg:"Example";  sid:1;)'),
  street: folded('1 Example Street'),
  'user-account': folded('EXAMPLE\\jane.doe'),
  'user-agent': kept('Mozilla/5.0 (compatible;  Example/1.0)'),
  yara: verbatim('rule Example {\n  strings:\n    $a = "a  b"\n  condition: $a\n}'),
} as const satisfies Partial<Record<ObservableType, Examples>>
