import { Button, Menu } from '@mantine/core'
import { Icon } from '../../ui/icon.tsx'
import { ANALYSES, type Analysis } from './analysis.ts'

const KINDS = [
  { kind: 'threat', label: 'Threat', description: 'How many entities use each technique' },
  { kind: 'coverage', label: 'Coverage', description: 'What you can detect or stop' },
  { kind: 'gap', label: 'Gap', description: 'What is used and not covered' },
] as const

/** Downloads an analysis as a layer for ATT&CK Navigator. */
export function ExportMenu({ analysis: { id, attack_matrix } }: { readonly analysis: Analysis }) {
  if (attack_matrix === 'DISARM') return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />}>
          Export layer
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map(({ kind, label, description }) => (
          <Menu.Item
            key={kind}
            component="a"
            href={`/api/v2/${ANALYSES}/${id}/layer?kind=${kind}`}
            download={`analysis-${id}-${kind}.json`}
          >
            {label}
            <div style={{ fontSize: 'var(--mantine-font-size-xs)', color: 'var(--mantine-color-dimmed)' }}>
              {description}
            </div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
