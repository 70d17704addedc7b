import { Option } from 'commander'

/** An option that may be given several times, and then has a list of values. */
export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description}; may be repeated`)
    .argParser((value: string, before: readonly string[]) => [...before, value])
    .default([], 'none')
