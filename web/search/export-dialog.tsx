import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { idOf, listQuery } from '../api/lists.ts'
import type { ExportBlock } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { CONSOLIDATIONS } from '../domain/consolidation.ts'
import { CONTENT_TYPES } from '../domain/content-types.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { type Selection, selectedQueries } from './selection.ts'

interface ExportDialogProps {
  readonly isOpen: boolean
  readonly selection: Selection
  readonly whole: string
  readonly count: number
  readonly onClose: () => void
}

/** Exports the selected entities to a file and offers it for download. */
export function ExportDialog({ isOpen, onClose, ...rest }: ExportDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Export selected entities">
      <ExportForm {...rest} />
    </Modal>
  )
}

function ExportForm({ selection, whole, count }: Omit<ExportDialogProps, 'isOpen' | 'onClose'>) {
  const may = useMay()
  const forms = CONTENT_TYPES.filter(({ hasObservables }) => !hasObservables || may('read extracts'))
  const [form, setForm] = useState(forms[0]?.urn ?? '')
  const [consolidation, setConsolidation] = useState<string>('contributors')
  const started = useMutation({ mutationFn: () => startExport(selection, whole, form, consolidation) })
  if (started.data) return <Written run={started.data} />
  return (
    <Stack>
      <ErrorFaults error={started.error} />
      <Radio.Group label="Format" value={form} onChange={setForm}>
        <Stack gap={8} mt={6}>
          {forms.map(({ urn, doc }) => (
            <Radio key={urn} value={urn} label={doc.charAt(0).toUpperCase() + doc.slice(1)} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label="Consolidated entities" value={consolidation} onChange={setConsolidation}>
        <Stack gap={8} mt={6}>
          {CONSOLIDATIONS.map(({ value, label, help }) => (
            <Radio key={value} value={value} label={label} description={help} />
          ))}
        </Stack>
      </Radio.Group>
      <Button loading={started.isPending} disabled={form === ''} onClick={() => started.mutate()}>
        Export {count === 1 ? '1 entity' : `${count.toLocaleString('en')} entities`}
      </Button>
    </Stack>
  )
}

async function startExport(
  selection: Selection,
  whole: string,
  content_type: string,
  consolidation: string,
): Promise<string> {
  const [path, chosen] = selection.isAll
    ? ['entities/by-query/export', { entities_query: selectedQueries(selection, whole)[0] }]
    : ['entities/export', { entities: [...selection.ids] }]
  const body = { ...chosen, content_type, content_configuration: { consolidation } }
  const { data } = await call<{ data: { task_run: string } }>('POST', path, { data: body })
  return data.task_run
}

/** Follows the export. The file is found by its run, even without the permission to read runs. */
function Written({ run }: { readonly run: string }) {
  const may = useMay()
  const blocks = useQuery({
    ...listQuery<ExportBlock>('export-blocks', { 'filter[run_id]': idOf(run), limit: 1 }),
    refetchInterval: ({ state }) => (state.data?.count === 1 ? false : 1_000),
  })
  const block = blocks.data?.data[0]
  return (
    <Stack>
      <ErrorFaults error={blocks.error} />
      {may('read tasks') ? <RunProgress run={run} /> : !block && <Text>The export is running.</Text>}
      {block?.download_url && (
        <>
          {block.losses_count > 0 && (
            <Alert color="yellow" variant="light">
              The format cannot represent {block.losses_count.toLocaleString('en')} values of these entities.
            </Alert>
          )}
          <Group>
            <Button component="a" href={new URL(block.download_url).pathname} download={block.filename}>
              Download {block.filename}
            </Button>
            <Text size="sm" c="dimmed">
              {sizeOf(block.size)}
            </Text>
          </Group>
        </>
      )}
    </Stack>
  )
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
