import type { Finding } from '../../function.ts'
import { textIn } from './row-values.ts'
import { tableFunction } from './table-function.ts'

/** The digits that manufacturers are assigned: small, medium and large blocks. */
const LENGTHS = [9, 7, 6]
/** The bit of addresses that belong to no manufacturer. */
const LOCAL = 2

/** The manufacturer of a network card. */
export const oui = tableFunction({
  table: 'oui',
  title: 'Manufacturers of MAC addresses',
  description: 'Finds the manufacturer to which the first digits of a MAC address are assigned.',
  supportedTypes: ['mac-48', 'eui-64'],
  load: 'Create the table `oui` with the format csv and the `key_column` Assignment. The IEEE publishes it at https://standards-oui.ieee.org/oui/oui.csv; the smaller blocks of mam.csv and oui36.csv can be appended.',
  parameters: {},
  find: async ({ rows }, table, { value }) => {
    const digits = value.replaceAll(':', '')
    return rows(
      table,
      LENGTHS.map((length) => digits.slice(0, length)),
    )
  },
  read: ({ hits: [hit], subject }) => {
    const name = textIn(hit?.row ?? {}, 'Organization Name', 'organization', 'name')
    if (name === undefined) return { findings: [], warnings: ['The table has no column `Organization Name`.'] }
    const isLocal = (Number.parseInt(subject.value.slice(0, 2), 16) & LOCAL) !== 0
    const findings: Finding[] = [
      { kind: 'tag', value: `manufacturer:${name}` },
      { kind: 'link', relation: 'manufactured-by', observable: { type: 'organization', value: name } },
      ...(isLocal ? [{ kind: 'tag', value: 'locally-administered' } as const] : []),
    ]
    return { findings }
  },
})
