import { Anchor, Button, Menu, Modal, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { idOf, oneQuery } from '../api/lists.ts'
import type { ExportBlock, TaskRun } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showErrorToast } from '../ui/toasts.tsx'
import { manyOf } from './names.ts'
import { pictureOf } from './picture.ts'
import type { GraphState } from './use-graph.ts'

const STIX = 'urn:oasis:stix:json:2.1'

/** Exports the graph as an image, or its entities as a STIX bundle. */
export function ExportMenu({ graph, hasPicture }: { readonly graph: GraphState; readonly hasPicture: boolean }) {
  const may = useMay()
  const theme = useComputedColorScheme('light')
  const [isExporting, setIsExporting] = useState(false)
  const { drawing, shown, selected, focused, path } = graph
  const name = (graph.saved?.name ?? 'graph').replaceAll(/[^\w.-]+/g, '-')
  const savePicture = () =>
    void pictureOf({ drawing, shown, selected, focused, path }, theme).then(
      (picture) => saveFile(picture, `${name}.png`),
      showErrorToast,
    )
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Export graph</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {hasPicture && <Menu.Item onClick={savePicture}>Image (PNG)</Menu.Item>}
          {may('read extracts') && <Menu.Item onClick={() => setIsExporting(true)}>STIX 2.1 bundle</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isExporting} onClose={() => setIsExporting(false)} title="Export as STIX 2.1">
        <StixExport graph={graph} />
      </Modal>
    </>
  )
}

function StixExport({ graph }: { readonly graph: GraphState }) {
  const entities = [...graph.shown.nodes].flatMap((key) => (key.startsWith('e:') ? [key.slice(2)] : []))
  const [ended, setEnded] = useState<TaskRun | null>(null)
  const begun = useMutation({
    mutationFn: () =>
      call<{ data: { task_run: string } }>('POST', 'entities/export', { data: { entities, content_type: STIX } }),
  })
  const run = begun.data?.data.task_run
  return (
    <Stack>
      <Text size="sm">
        Exports the {manyOf(entities.length, 'entity')} shown, with their observables and the relationships among them.
      </Text>
      <ErrorFaults error={begun.error} />
      {run ? (
        <RunProgress run={run} onEnded={setEnded} />
      ) : (
        <Button disabled={entities.length === 0} loading={begun.isPending} onClick={() => begun.mutate()}>
          Create bundle
        </Button>
      )}
      {ended && <Download run={ended} />}
    </Stack>
  )
}

function Download({ run }: { readonly run: TaskRun }) {
  const block = (run.result as { export_block?: string } | null)?.export_block
  const { data, error } = useQuery({
    ...oneQuery<ExportBlock>(`export-blocks/${idOf(block ?? 'none')}`),
    enabled: block !== undefined,
  })
  if (error) return <ErrorFaults error={error} />
  if (!data?.download_url) return null
  const { losses } = (run.result ?? {}) as { losses?: number }
  return (
    <Stack gap={4}>
      <Anchor href={new URL(data.download_url).pathname} download>
        Download bundle
      </Anchor>
      {losses !== undefined && losses > 0 && (
        <Text size="xs" c="dimmed">
          STIX cannot represent {manyOf(losses, 'value')} of these entities. See the export block for details.
        </Text>
      )}
    </Stack>
  )
}
