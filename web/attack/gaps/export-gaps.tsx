import { Button, Menu, Text } from '@mantine/core'
import { type Parameters, searchOf } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showErrorToast } from '../../ui/toasts.tsx'
import { matrixName } from '../matrices.ts'
import { namedNodesQuery } from '../nodes.ts'
import { gapsQuery } from './gap.ts'
import { csvOf } from './gap-csv.ts'

interface ExportGapsProps {
  readonly parameters: Parameters
  readonly matrix: string
}

const LAYERS = [
  { kind: 'gap', label: 'Gap layer' },
  { kind: 'coverage', label: 'Coverage layer' },
  { kind: 'threat', label: 'Threat layer' },
] as const

/** Downloads the gaps as CSV, or as a layer for ATT&CK Navigator. */
export function ExportGaps({ parameters, matrix }: ExportGapsProps) {
  const saveCsv = async () => {
    const [gaps, nodes] = await Promise.all([
      queries.fetchQuery(gapsQuery(parameters)),
      queries.fetchQuery(namedNodesQuery(matrix)),
    ])
    saveFile(new Blob([csvOf(gaps.data, nodes)], { type: 'text/csv;charset=utf-8' }), `gaps-${matrix}.csv`)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveCsv().catch(showErrorToast)}>CSV</Menu.Item>
        {matrix === 'DISARM' ? (
          <Text size="xs" c="dimmed" px="sm" py={6} maw={220}>
            ATT&CK Navigator has no DISARM layers.
          </Text>
        ) : (
          LAYERS.map(({ kind, label }) => (
            <Menu.Item
              key={kind}
              component="a"
              href={`/api/v2/attacks/layer${searchOf({ ...parameters, kind, name: `${matrixName(matrix)} ${kind}` })}`}
              download={`${matrix}-${kind}.json`}
            >
              {label}
            </Menu.Item>
          ))
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
