import { isRecord } from '../../domain/record.ts'
import { readIsoTime } from '../../domain/timestamp.ts'

/** Tests whether a value has a given form. */
export type Check = (value: unknown) => boolean

/** Whether a timestamp denotes a real date. Strict readers reject 31 February and the year 0. */
export function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || value[10] !== 'T') return false
  const time = readIsoTime(value)
  return time?.precision === 'second' && time.zone === 'Z' && time.year > 0
}

export const isText: Check = (value) => typeof value === 'string'

export const matches =
  (form: RegExp): Check =>
  (value) =>
    typeof value === 'string' && form.test(value)

export const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(isItem)

export const integer =
  (least = -Number.MAX_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most

export const number =
  (least = -Number.MAX_VALUE, most = Number.MAX_VALUE): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most

const HASHES: Readonly<Record<string, RegExp>> = {
  MD5: /^[a-f0-9]{32}$/i,
  'SHA-1': /^[a-f0-9]{40}$/i,
  'SHA-256': /^[a-f0-9]{64}$/i,
  'SHA-512': /^[a-f0-9]{128}$/i,
  'SHA3-256': /^[a-f0-9]{64}$/i,
  'SHA3-512': /^[a-f0-9]{128}$/i,
  SSDEEP: /^[a-z0-9/+:.]{1,128}$/i,
  TLSH: /^[a-f0-9]{70}$/i,
}

export const isNamedHash = (name: string): boolean => Object.hasOwn(HASHES, name)

export const isHash = (name: string, value: unknown): boolean => {
  const form = isNamedHash(name) ? HASHES[name] : undefined
  return /^[a-zA-Z0-9_-]{3,250}$/.test(name) && typeof value === 'string' && (form?.test(value) ?? true)
}

export const recordOf =
  (isEntry: (name: string, value: unknown) => boolean): Check =>
  (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, member]) => isEntry(name, member))

export const dictionaryOf = (isItem: Check): Check =>
  recordOf((name, value) => /^[a-zA-Z0-9_-]{1,250}$/.test(name) && isItem(value))

export const isAny: Check = (value) =>
  value !== null && value !== undefined && !Number.isNaN(value) && !(Array.isArray(value) && value.length === 0)
