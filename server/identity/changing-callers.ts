import { isWrite, type Route } from '../engine/route.ts'

/** The routes of a resource whose objects decide who callers are, or what they may do: remembered callers are read again after its writes. */
export const changingCallers = (standard: readonly Route[]): readonly Route[] =>
  standard.map((route) => (isWrite(route) ? { ...route, changesCallers: true } : route))
