import { Button, Menu, Text } from '@mantine/core'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showErrorToast } from '../../ui/toasts.tsx'
import type { Column } from './columns.ts'
import type { Layer } from './layers.ts'
import type { LegendGroup } from './legend-groups.ts'
import { matrixCsv } from './matrix-csv.ts'
import { pngOf } from './matrix-png.ts'
import { matrixSvg } from './matrix-svg.ts'

interface ExportMenuProps {
  readonly matrix: string
  /** What the matrix shows, in words. */
  readonly title: string
  readonly legend: readonly LegendGroup[]
  /** All cells, and those on screen. */
  readonly all: () => readonly Column[]
  readonly shown: readonly Column[]
  readonly layers: readonly Layer[]
}

/** Downloads a matrix as a table, an image, or a layer for ATT&CK Navigator. */
export function ExportMenu({ matrix, title, legend, all, shown, layers }: ExportMenuProps) {
  const name = `${matrix}-matrix`
  const svg = () => {
    const subtitle = `${new Date().toISOString().slice(0, 10)} · Corvus`
    return matrixSvg(shown, { title, subtitle, legend })
  }
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
        {layers.length > 0 && matrix === 'DISARM' && (
          <Text size="xs" c="dimmed" px="sm" py={6} maw={220}>
            ATT&CK Navigator has no DISARM layers.
          </Text>
        )}
        {matrix !== 'DISARM' &&
          layers.map(({ label, href, file }) => (
            <Menu.Item key={file} component="a" href={href} download={file}>
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
