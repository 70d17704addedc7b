import type { ObservableDefinition } from '../definition.ts'
import { keepLine } from '../text.ts'

export const winregistry = {
  type: 'winregistry',
  label: 'registry key',
  form: 'a key of the Windows registry such as HKEY_LOCAL_MACHINE\\SOFTWARE\\Example',
  maximum: 32_767,
  normalise: registryKeyOf,
  looks: [{ order: 200, test: /^\\?(?:HK[A-Z_]{1,30}|REGISTRY):?\\/i }],
  stix: (value) => (value.startsWith('HKEY_') ? { type: 'windows-registry-key', key: value } : undefined),
  misp: ['regkey', 'Artifacts dropped'],
  examples: {
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
} as const satisfies ObservableDefinition

const HIVES: Readonly<Record<string, string>> = {
  HKCC: 'HKEY_CURRENT_CONFIG',
  HKCR: 'HKEY_CLASSES_ROOT',
  HKCU: 'HKEY_CURRENT_USER',
  HKDD: 'HKEY_DYN_DATA',
  HKLM: 'HKEY_LOCAL_MACHINE',
  HKPD: 'HKEY_PERFORMANCE_DATA',
  HKU: 'HKEY_USERS',
  'REGISTRY\\MACHINE': 'HKEY_LOCAL_MACHINE',
  'REGISTRY\\USER': 'HKEY_USERS',
}

/** The hive is written out; the rest keeps its case, for people read the names in it. */
function registryKeyOf(text: string): string | undefined {
  if (keepLine(text) === undefined) return undefined
  // Names in a key may have slashes: they separate only where no backslash does.
  const separated = /^HK[A-Z_]+\/[^\\]*$/i.test(text) ? text.replaceAll('/', '\\') : text
  const path = stripped(separated.replace(/\\+/g, '\\')).replace(/^Computer\\(?=HK)/i, '')
  const [start, name = ''] = /^(HK[A-Z_]+|REGISTRY\\(?:MACHINE|USER)):?(?=\\|$)/i.exec(path) ?? ['']
  const hive = HIVES[name.toUpperCase()] ?? name.toUpperCase()
  if (start !== '') return Object.values(HIVES).includes(hive) ? `${hive}${path.slice(start.length)}` : undefined
  // Reports often leave the hive out; a path that begins with a drive is a file.
  return path.includes('\\') && !/^[A-Z]:/i.test(path) ? path : undefined
}

/** The path without separators and spaces at its ends, in a loop: a regular expression would look back and back. */
function stripped(path: string): string {
  const isOuter = (character = '') => character === '\\' || character.trim() === ''
  let start = 0
  let end = path.length
  while (start < end && isOuter(path[start])) start++
  while (end > start && isOuter(path[end - 1])) end--
  return path.slice(start, end)
}
