import { Accordion, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { FileZone } from '../file-zone.tsx'
import { ANALYSES, type Analysis, counted } from './analysis.ts'
import { type ImportedLayers, importLayers, type LayerReport, partsOf } from './imported-layer.ts'

/** Makes analyses of a layer of ATT&CK Navigator, and reports what became of its techniques. */
export function ImportLayer({ onClose }: { readonly onClose: () => void }) {
  const imported = useMutation({ mutationFn: importLayers, onSuccess: () => invalidate(ANALYSES) })
  return (
    <Modal opened onClose={onClose} title="Import layer" size="lg">
      <Stack gap="sm">
        {imported.data ? (
          <Report imported={imported.data} />
        ) : (
          <>
            <Text size="sm" c="dimmed">
              A layer becomes an analysis: its comments become annotations, and its scores, colours and legend are kept.
              Formats 1.0 to 4.5 are accepted, also several layers in one file.
            </Text>
            <FileZone
              accept=".json,application/json"
              label="Select layer"
              hint="or drop a file saved by ATT&CK Navigator"
              isLoading={imported.isPending}
              onFile={(file) => imported.mutate(file)}
            />
            <ErrorFaults error={imported.error} />
          </>
        )}
        <Group justify="flex-end">
          {imported.data && (
            <Button variant="default" onClick={() => imported.reset()}>
              Import another layer
            </Button>
          )}
          <Button variant={imported.data ? 'filled' : 'default'} onClick={onClose}>
            {imported.data ? 'Done' : 'Cancel'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Report = ({ imported: { analyses, reports } }: { readonly imported: ImportedLayers }) => (
  <Stack gap="md" role="status">
    {reports.map((report) => (
      <OneLayer
        key={report.attack_analysis}
        report={report}
        analysis={analyses.find(({ id }) => String(id) === idOf(report.attack_analysis))}
      />
    ))}
  </Stack>
)

interface OneLayerProps {
  readonly report: LayerReport
  readonly analysis: Analysis | undefined
}

function OneLayer({ report, analysis }: OneLayerProps) {
  const parts = partsOf(report)
  return (
    <Stack gap={6}>
      <PageLink to={`/attack/analyses/${idOf(report.attack_analysis)}`} fw={600}>
        {defangText(analysis?.name ?? 'Analysis')}
      </PageLink>
      <Text size="sm">
        {counted(report.techniques, 'technique', 'techniques')}
        {report.annotations > 0 && `, ${counted(report.annotations, 'annotation', 'annotations')}`}
        {report.format && `, format ${report.format}`}.{' '}
        {parts.length === 0 && 'All techniques are known in this version of the matrix.'}
      </Text>
      {parts.length > 0 && (
        <Accordion variant="separated" multiple radius="sm">
          {parts.map(({ title, lines }) => (
            <Accordion.Item key={title} value={title}>
              <Accordion.Control>
                <Text size="sm">{title}</Text>
              </Accordion.Control>
              <Accordion.Panel>
                <List size="sm" className="code" mah={240} style={{ overflowY: 'auto' }}>
                  {lines.map((line) => (
                    <List.Item key={line}>{line}</List.Item>
                  ))}
                </List>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Stack>
  )
}
