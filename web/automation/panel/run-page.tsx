import { RunPage } from '../../background/run.tsx'
import { outcomeOf } from '../enrichers/run-outcome.ts'
import { RunSamples } from '../enrichers/run-samples.tsx'

/** The page of a run, with the look-ups that have no result. */
export const RunWithOutcome = () => (
  <RunPage>
    {(run) => {
      const samples = outcomeOf(run)?.samples ?? []
      return samples.length === 0
        ? null
        : { title: 'Look-ups without a result', content: <RunSamples samples={samples} /> }
    }}
  </RunPage>
)
