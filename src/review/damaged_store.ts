/** A value in a store is not what this build writes; the tool answers with its constant refusal. */
export class DamagedStore extends Error {
  override readonly name = "DamagedStore";
}
