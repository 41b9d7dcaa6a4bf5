package io.github.liquidscheduler.placement.cost;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.List;

/**
 * The terms of the cost of a placement.
 *
 * @param cost the cost, as the placer compares it
 * @param terms its summands and the quantities behind them, in the order of the model's reasoning
 */
public record CostBreakdown(double cost, List<Term> terms) {

  /** Copies the terms. */
  public CostBreakdown {
    terms = List.copyOf(terms);
  }

  /** One item of a cost. */
  public sealed interface Term {}

  /**
   * A quantity from which the cost is computed.
   *
   * @param name its name, with its unit
   */
  public record Quantity(String name, double value) implements Term {}

  /**
   * The slowest of the links at one level that the job's traffic crosses.
   *
   * @param level the level of the node or domain below the link
   * @param below the node or domain below the link
   * @param links the number of links that the traffic crosses at this level
   * @param bytes the bytes over the link in one iteration, in each direction
   * @param left the rate left for the job
   * @param seconds the seconds of the link in one iteration
   * @param sharedWith the jobs that send over the link already
   */
  public record LinkTerm(
      String level,
      String below,
      int links,
      double bytes,
      Bandwidth left,
      double seconds,
      List<JobId> sharedWith)
      implements Term {

    /** Copies the jobs. */
    public LinkTerm {
      sharedWith = List.copyOf(sharedWith);
    }
  }

  /**
   * A running job that is slowed.
   *
   * @param extraSeconds the seconds added to its iterations
   */
  public record ContentionTerm(JobId job, double extraSeconds) implements Term {}
}
