import { NumberInput, Select, SimpleGrid, Text } from '@mantine/core'
import { TLP_OPTIONS } from '../../domain/tlp.ts'
import type { EnricherFieldsProps } from './limit-fields.tsx'

const RELIABILITIES = ['A', 'B', 'C', 'D', 'E', 'F']

/** What an enricher may send, and how its findings are stored. */
export function ResultFields({ values, set, faults }: EnricherFieldsProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        Disclosure and results
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} style={{ alignItems: 'end' }}>
        <Select
          label="Maximum TLP"
          description="Anything above is skipped."
          placeholder="No maximum"
          data={TLP_OPTIONS}
          clearable
          value={values.maxTlp || null}
          error={faults.max_tlp}
          onChange={(value) => set({ maxTlp: value ?? '' })}
        />
        <NumberInput
          label="Reuse results for (hours)"
          description="Failures are never reused."
          min={0}
          decimalScale={2}
          value={values.cacheHours}
          error={faults.cache_validity}
          onChange={(value) => set({ cacheHours: String(value) })}
        />
        <Select
          label="TLP of findings"
          description="At least that of the observable."
          placeholder="As the observable"
          data={TLP_OPTIONS}
          clearable
          value={values.tlp || null}
          error={faults.tlp_color}
          onChange={(value) => set({ tlp: value ?? '' })}
        />
        <Select
          label="Reliability"
          description="Of the service as a source."
          placeholder="Not rated"
          data={RELIABILITIES}
          clearable
          value={values.reliability || null}
          error={faults.source_reliability}
          onChange={(value) => set({ reliability: value ?? '' })}
        />
      </SimpleGrid>
    </>
  )
}
