import { useSyncExternalStore } from 'react'

/** Whose clock times are shown by: that of the world, or the own one. */
export type Clock = 'utc' | 'own'

const STORED = 'corvus-clock'
const STORED_ZONE = 'corvus-zone'

/** In Swedish, a time is written as ISO 8601 has it. */
const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

const utcFormat = formatOf('UTC')
const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone
// As it was last: whose account this is becomes known only after the first times are shown.
let ownZone = storedZone() ?? machineZone
let ownFormat = formatOf(ownZone)
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

const tell = () => {
  for (const listener of listeners) listener()
}

/** The clock that times are shown by. */
export const useClock = (): Clock => useSyncExternalStore(subscribe, () => clock)

/** Shows all times by another clock, also when the browser is opened again. */
export function setClock(chosen: Clock): void {
  clock = chosen
  globalThis.localStorage?.setItem(STORED, chosen)
  tell()
}

/** Takes the time zone of an account for the own one; UTC, with which every account begins, stands for that of the machine. */
export function setOwnZone(timeZone: string): void {
  const zone = timeZone === 'UTC' ? machineZone : timeZone
  if (zone === ownZone) return
  ownZone = zone
  ownFormat = formatOf(zone)
  globalThis.localStorage?.setItem(STORED_ZONE, zone)
  tell()
}

/** The own time zone, such as Europe/Amsterdam. */
export const getOwnZone = (): string => ownZone

/** The same, shown anew when it changes. */
export const useOwnZone = (): string => useSyncExternalStore(subscribe, getOwnZone)

/** A time in UTC to the minute, as all of the product writes it. */
export const utc = (text: string): string => utcFormat.format(new Date(text))

/** A time by the own clock, to the minute. */
export const own = (text: string): string => ownFormat.format(new Date(text))
