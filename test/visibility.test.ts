import { testWorlds } from './visibility/suite.ts'

testWorlds(1)
