import type { ObservableType } from '../types.ts'
import { type Examples, hexadecimal } from './form.ts'

const uri: Examples = {
  good: [
    ['HTTPS://Example.COM/Path/?Q=A#F', 'https://example.com/Path/?Q=A#F'],
    ['http://example.com', 'http://example.com'],
    ['http://example.com:80/', 'http://example.com/'],
    ['http://example.com:/', 'http://example.com/'],
    ['http://example.com:00443/', 'http://example.com:443/'],
    ['https://example.com:443?x', 'https://example.com?x'],
    ['ftp://User:Pass@Example.com:21/a', 'ftp://User:Pass@example.com/a'],
    ['https://example.org%2F@example.com/x', 'https://example.org%2F@example.com/x'],
    ['http://b\u00fccher.example./\u00fc', 'http://xn--bcher-kva.example/\u00fc'],
    ['http://%65xample.com/%65', 'http://example.com/%65'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[2001:DB8:0::1]:8080/', 'http://[2001:db8::1]:8080/'],
    ['http://example.com/a b/../%7e//', 'http://example.com/a%20b/../%7e//'],
    ['http://example.com\\@example.org', 'http://example.com\\@example.org'],
    ['http://Example.com\\Path', 'http://example.com\\Path'],
    ['hxxps://example[.]com/index[.]php', 'https://example.com/index.php'],
    ['hXXp[:]//example(dot)com/a(dot)b[.]c', 'http://example.com/a.b[.]c'],
    ['http://example.com/(dot)?a[at]=b', 'http://example.com/(dot)?a[at]=b'],
    ['tcp://Example.com:4444', 'tcp://example.com:4444'],
    ['mongodb://A:1,B:2/db', 'mongodb://A:1,B:2/db'],
    ['file:///C:/Windows/x.exe', 'file:///C:/Windows/x.exe'],
    ['MAILTO:someone@example.com', 'mailto:someone@example.com'],
    ['tel:112', 'tel:112'],
    ['data:text/plain,a[.]b(at)', 'data:text/plain,a[.]b(at)'],
  ],
  bad: [
    'example.com/path',
    'example.com:8080',
    'localhost:8080/x',
    'C:\\Windows\\x.exe',
    'http:',
    'http://',
    'http:///path',
    'http:example.com',
    'http://example..com/',
    'http://exa mple.com/',
    'http://example.com:65536/',
    'http://example.com:x/',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://256.1.1.1/',
    'http://example.com/a\nb',
    '://example.com',
    `http://example.com/${'x'.repeat(65_536)}`,
    `http://example.com/${' x'.repeat(32_000)}`,
  ],
}

/** Places on the web. */
export const webExamples = {
  uri,
  'uri-hash-sha256': hexadecimal(64),
  'vendor-portal-uri': uri,
} as const satisfies Partial<Record<ObservableType, Examples>>
