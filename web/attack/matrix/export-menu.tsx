import { Button, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { oneQuery, type Parameters, searchOf } from '../../api/lists.ts'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showErrorToast } from '../../ui/toasts.tsx'
import { ANALYSES, type Analysis } from '../analyses/analysis.ts'
import { matrixName } from '../matrices.ts'
import type { Column } from './columns.ts'
import { matrixCsv } from './matrix-csv.ts'
import { pngOf } from './matrix-png.ts'
import { matrixSvg } from './matrix-svg.ts'

const LAYERS = [
  { kind: 'threat', label: 'Threat layer' },
  { kind: 'coverage', label: 'Coverage layer' },
  { kind: 'gap', label: 'Gap layer' },
] as const

interface ExportMenuProps {
  readonly matrix: string
  /** What the matrix shows, in words. */
  readonly title: string
  /** All cells, and those on screen. */
  readonly all: () => readonly Column[]
  readonly shown: readonly Column[]
  /** The parameters of heat, for layers; undefined where there are none. */
  readonly parameters: Parameters | undefined
  readonly analysis: number | undefined
}

/** Downloads a matrix as a table, an image, or a layer for ATT&CK Navigator. */
export function ExportMenu({ matrix, title, all, shown, parameters, analysis }: ExportMenuProps) {
  const known = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${analysis}`), enabled: analysis !== undefined })
  const name = `${matrix}-matrix`
  const svg = () => matrixSvg(shown, { title, subtitle: `${new Date().toISOString().slice(0, 10)} · Corvus` })
  const saveSvg = () => saveFile(new Blob([svg().text], { type: 'image/svg+xml' }), `${name}.svg`)
  const savePng = () => void pngOf(svg()).then((picture) => saveFile(picture, `${name}.png`), showErrorToast)
  const saveCsv = () => saveFile(new Blob([matrixCsv(all())], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={saveCsv}>CSV</Menu.Item>
        <Menu.Item onClick={saveSvg}>Image (SVG)</Menu.Item>
        <Menu.Item onClick={savePng}>Image (PNG)</Menu.Item>
        {parameters && matrix === 'DISARM' && (
          <Text size="xs" c="dimmed" px="sm" py={6} maw={220}>
            ATT&CK Navigator has no DISARM layers.
          </Text>
        )}
        {parameters &&
          matrix !== 'DISARM' &&
          LAYERS.map(({ kind, label }) => (
            <Menu.Item
              key={kind}
              component="a"
              href={layerAddress(kind, `${matrixName(matrix)} ${kind}`, parameters, analysis)}
              download={`${matrix}-${kind}.json`}
            >
              {label}
            </Menu.Item>
          ))}
        {known.data?.ui_metadata.layer !== undefined && (
          <Menu.Item component="a" href={`/api/v2/${ANALYSES}/${analysis}/layer`} download={`${matrix}-imported.json`}>
            Imported layer
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The layer of an analysis has its annotations. */
const layerAddress = (kind: string, name: string, parameters: Parameters, analysis: number | undefined): string =>
  analysis === undefined
    ? `/api/v2/attacks/layer${searchOf({ ...parameters, kind, name })}`
    : `/api/v2/${ANALYSES}/${analysis}/layer?kind=${kind}`
