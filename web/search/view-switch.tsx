import { SegmentedControl, Tooltip } from '@mantine/core'
import { CONSOLIDATIONS, type Consolidation } from '../domain/consolidations.ts'

interface ViewSwitchProps {
  readonly view: Consolidation
  readonly onChange: (view: Consolidation) => void
}

const VIEWS: Readonly<Record<Consolidation, { readonly label: string; readonly explanation: string }>> = {
  unified: { label: 'Unified', explanation: 'Unified entities stand for their contributors' },
  all: { label: 'All', explanation: 'Unified entities and their contributors' },
  contributors: {
    label: 'Contributors',
    explanation: 'Entities as their sources published them, without unified ones',
  },
}

/** Chooses what is shown of unified entities. */
export const ViewSwitch = ({ view, onChange }: ViewSwitchProps) => (
  <SegmentedControl
    size="xs"
    aria-label="Unified entities"
    value={view}
    onChange={(chosen) => onChange(chosen as Consolidation)}
    data={CONSOLIDATIONS.map((value) => ({
      value,
      label: (
        <Tooltip label={VIEWS[value].explanation} openDelay={400}>
          <span>{VIEWS[value].label}</span>
        </Tooltip>
      ),
    }))}
  />
)
