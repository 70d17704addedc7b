import { useSyncExternalStore } from 'react'

/** Whether times are shown in UTC or in the local time zone. */
export type Clock = 'utc' | 'own'

const STORED = 'corvus-clock'
const STORED_ZONE = 'corvus-zone'

/** The Swedish locale formats dates and times like ISO 8601. */
const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

const utcFormat = formatOf('UTC')
const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone
// The stored time zone is used until the account is loaded, because times are shown before that.
let localZone = storedZone() ?? machineZone
let localFormat = formatOf(localZone)
let clock: Clock = globalThis.localStorage?.getItem(STORED) === 'own' ? 'own' : 'utc'
const listeners = new Set<() => void>()

function storedZone(): string | null {
  const zone = globalThis.localStorage?.getItem(STORED_ZONE) ?? null
  try {
    if (zone !== null) formatOf(zone)
    return zone
  } catch {
    return null
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** The clock for all displayed times. */
export const useClock = (): Clock => useSyncExternalStore(subscribe, () => clock)

/** Switches the clock for all displayed times and stores the choice. */
export function setClock(chosen: Clock): void {
  clock = chosen
  globalThis.localStorage?.setItem(STORED, chosen)
  notifyListeners()
}

/** Sets the local time zone to that of the account. UTC, the default of every account, means the time zone of the browser. */
export function setLocalZone(timeZone: string): void {
  const zone = timeZone === 'UTC' ? machineZone : timeZone
  if (zone === localZone) return
  localZone = zone
  localFormat = formatOf(zone)
  globalThis.localStorage?.setItem(STORED_ZONE, zone)
  notifyListeners()
}

/** The local time zone, such as Europe/Amsterdam. */
export const getLocalZone = (): string => localZone

/** The local time zone, as a hook. */
export const useLocalZone = (): string => useSyncExternalStore(subscribe, getLocalZone)

/** Formats a time in UTC, to the minute. */
export const utcTime = (text: string): string => utcFormat.format(new Date(text))

/** Formats a time in the local time zone, to the minute. */
export const localTime = (text: string): string => localFormat.format(new Date(text))
