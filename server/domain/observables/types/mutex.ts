import type { ObservableDefinition } from '../definition.ts'
import { line } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const mutex = {
  type: 'mutex',
  ...line('the name of a mutex', 'Global\\Example  Mutex', 32_767),
  stix: stixObject('mutex', 'name'),
  misp: ['mutex', 'Artifacts dropped'],
} as const satisfies ObservableDefinition
