import type { ObservableType } from '../types.ts'
import { CONTROL, type Examples, hexadecimal } from './form.ts'

/** What has a form of its own in machines and catalogues. */
export const machineExamples = {
  cce: {
    good: [
      ['CCE-27352-4', 'CCE-27352-4'],
      ['cce 27352-4', 'CCE-27352-4'],
    ],
    bad: ['', 'CCE-27352', 'CCE-x-4', 'CCE-27352-44', 'CVE-2014-0160'],
  },
  'certificate-hash': {
    good: [
      [Array.from({ length: 20 }, () => 'AB').join(':'), 'ab'.repeat(20)],
      ['C'.repeat(64), 'c'.repeat(64)],
      [Array.from({ length: 16 }, () => '0F').join(' '), '0f'.repeat(16)],
    ],
    bad: ['', 'ab', 'a'.repeat(63), 'g'.repeat(64), 'a'.repeat(66)],
  },
  'certificate-serial-number': {
    good: [
      ['00:D1:0a', 'd10a'],
      ['0x4E0', '04e0'],
      ['04 E0', '04e0'],
      ['123456789', '123456789'],
      ['00:00', '00'],
    ],
    bad: ['', '0x', 'xyz', '-1', `a${'0'.repeat(128)}`, '12:3g'],
  },
  cve: {
    good: [
      ['CVE-2014-0160', 'CVE-2014-0160'],
      ['cve-2014-0160', 'CVE-2014-0160'],
      ['CVE\u20112014\u20110160', 'CVE-2014-0160'],
      ['2014-0160', 'CVE-2014-0160'],
      ['CVE-2030-1234567', 'CVE-2030-1234567'],
    ],
    bad: ['', 'CVE-2014-016', 'CVE-1998-0001', 'CVE-20140-0160', 'CVE-2014', 'CVE-2014-0160x', 'CAN-2014-0160'],
  },
  cwe: {
    good: [
      ['CWE-79', 'CWE-79'],
      ['cwe 079', 'CWE-79'],
      ['79', 'CWE-79'],
    ],
    bad: ['', 'CWE-', 'CWE-x', 'CWE-79.1', 'CAPEC-79'],
  },
  'file-size': {
    good: [
      ['1024', '1024'],
      ['0010', '10'],
      ['0', '0'],
      ['9223372036854775807', '9223372036854775807'],
    ],
    bad: ['', '-1', '1.5', '1 KB', '1e3', '9223372036854775808', '\u0661'],
  },
  'hash-authentihash': hexadecimal(64),
  'hash-imphash': hexadecimal(32),
  'hash-md5': hexadecimal(32),
  'hash-rich-pe-header': hexadecimal(32),
  'hash-sha1': hexadecimal(40),
  'hash-sha224': hexadecimal(56),
  'hash-sha256': hexadecimal(64),
  'hash-sha384': hexadecimal(96),
  'hash-sha512': hexadecimal(128),
  'hash-ssdeep': {
    good: [
      ['3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C', '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C'],
      ['3::', '3::'],
      [`196608:${'a'.repeat(64)}:B+/9`, `196608:${'a'.repeat(64)}:B+/9`],
    ],
    bad: ['', '3:a', '4:a:b', '0:a:b', '03:a:b', '3:a:b:c', `3:${'a'.repeat(65)}:b`, '3:a,b:c', 'd41d:a:b'],
  },
  'hash-vhash': {
    good: [
      ['0740361D051)z1e3z', '0740361d051)z1e3z'],
      [' 015z ', '015z'],
    ],
    bad: ['', 'two words', CONTROL, 'x'.repeat(513)],
  },
  'ja3-full': {
    good: [
      ['771,4865-4866-49195,0-23-65281,29-23-24,0', '771,4865-4866-49195,0-23-65281,29-23-24,0'],
      ['769,47, , ,', '769,47,,,'],
    ],
    bad: [
      '',
      '771,4865',
      ',1,2,3,4',
      '771,65536,0,0,0',
      '771,1--2,0,0,0',
      '771,a,0,0,0',
      '771-770,1,2,3,4',
      '771,1,2,3,4,5',
    ],
  },
  'ja3-hash': hexadecimal(32),
  'ja3s-full': {
    good: [
      ['771,49199,65281-0-11', '771,49199,65281-0-11'],
      ['771,49199,', '771,49199,'],
    ],
    bad: ['', '771,49199', '771,49199,0,0', 'x,1,2', '771,01,0'],
  },
  'ja3s-hash': hexadecimal(32),
  jarm: hexadecimal(62),
  'ssh-public-key': {
    good: [
      [
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH someone@example.com',
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
      ],
      [
        'AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
      ],
    ],
    bad: [
      '',
      'ssh-ed25519',
      'ssh-ed25519 not-a-key',
      'ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
      'AAAAAAAAAAAA',
      '-----BEGIN PUBLIC KEY-----',
    ],
  },
  winregistry: {
    good: [
      ['HKLM\\Software\\Example', 'HKEY_LOCAL_MACHINE\\Software\\Example'],
      ['hkcu:\\\\Software\\\\Example\\', 'HKEY_CURRENT_USER\\Software\\Example'],
      ['HKEY_users/S-1-5-18/Run', 'HKEY_USERS\\S-1-5-18\\Run'],
      ['HKCR\\MIME\\text/html', 'HKEY_CLASSES_ROOT\\MIME\\text/html'],
      ['\\REGISTRY\\Machine\\SYSTEM', 'HKEY_LOCAL_MACHINE\\SYSTEM'],
      ['Computer\\HKEY_LOCAL_MACHINE', 'HKEY_LOCAL_MACHINE'],
      ['Software\\Two  Spaces\\ \\', 'Software\\Two  Spaces'],
    ],
    bad: ['', 'Software', '\\', 'HKXX\\Software', 'C:\\Windows\\x.exe', 'HKLM\\a\nb', 'http://example.com/a'],
  },
} as const satisfies Partial<Record<ObservableType, Examples>>
