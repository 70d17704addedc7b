import type { ObservableDefinition } from '../definition.ts'
import { verbatim } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const process = {
  type: 'process',
  ...verbatim('a process or its command line', 'powershell.exe -enc "AA=="  -w hidden'),
  stix: stixObject('process', 'command_line'),
} as const satisfies ObservableDefinition
