package io.github.liquidscheduler.lab.reference.pollux.application;

/**
 * A training application as measured: what it learns in an epoch at which batch size, and how long
 * its steps take where. Ends after its last epoch. Keeps what it interpolated, so it is for one
 * thread at a time.
 */
public final class MeasuredApplication {

  /** More GPUs never help it, so the artefact never gives it more. */
  private static final String INELASTIC = "ncf";

  private final String name;
  private final Convergence convergence;
  private final StepTimes stepTimes;
  private final BatchLimits limits;
  private final int epochs;

  MeasuredApplication(
      String name, Convergence convergence, StepTimes stepTimes, int largestLocal, int epochs) {
    this.name = name;
    this.convergence = convergence;
    this.stepTimes = stepTimes;
    this.limits =
        new BatchLimits(
            convergence.smallestBatch(),
            convergence.largestBatch(),
            stepTimes.smallestBatch(),
            Math.min(largestLocal, stepTimes.largestBatch()));
    this.epochs = epochs;
  }

  /** Returns the name, as workloads write it. */
  public String name() {
    return name;
  }

  /** Returns the batch sizes at which it may train. */
  public BatchLimits limits() {
    return limits;
  }

  /**
   * Returns whether it may train on several GPUs; if not, it trains on one, at its largest batch
   * size.
   */
  public boolean isElastic() {
    return !name.equals(INELASTIC);
  }

  /** Returns the number of epochs of a whole training. */
  public int epochs() {
    return epochs;
  }

  /** Returns the progress after that many epochs, in steps of the initial batch size. */
  public double progress(int finishedEpochs) {
    return finishedEpochs == 0 ? 0 : convergence.progress(finishedEpochs);
  }

  /** Returns the gradient statistics of an epoch, counted from 0, at a batch size. */
  public GradientNoise noise(int batch, int epoch) {
    return convergence.noise(batch, epoch);
  }

  /** Returns the steps that are left at a batch size, at least 1, in an epoch counted from 0. */
  public double iterationsLeft(int batch, int epoch) {
    int last = epochs - 1;
    return last <= epoch
        ? 1
        : convergence.iterations(batch, last) - convergence.iterations(batch, epoch);
  }

  /** Returns the time of a step with one local batch on each GPU. */
  public StepTime stepTime(GpuLayout layout, int localBatch) {
    return stepTimes.of(layout, localBatch);
  }
}
