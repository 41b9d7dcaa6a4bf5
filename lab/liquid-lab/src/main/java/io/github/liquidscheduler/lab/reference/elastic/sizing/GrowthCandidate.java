package io.github.liquidscheduler.lab.reference.elastic.sizing;

/** A job that could use more GPUs than it has. */
public interface GrowthCandidate {

  /**
   * Returns the next larger size, or {@code gpus} if there is none.
   *
   * @param gpus the size so far; 0 if the job waits
   */
  int next(int gpus);

  /**
   * Returns what each GPU of the next step is worth.
   *
   * @param gpus the size so far; 0 if the job waits
   */
  double gain(int gpus);
}
