package io.github.liquidscheduler.placement.cost;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.List;

/**
 * What the cost of a placement is made of.
 *
 * @param cost the cost, as the placer compares it
 * @param terms what adds up to it or stands behind it, in the order of the model's reasoning
 */
public record CostBreakdown(double cost, List<Term> terms) {

  /** Copies the terms. */
  public CostBreakdown {
    terms = List.copyOf(terms);
  }

  /** One item of a cost. */
  public sealed interface Term {}

  /**
   * A quantity that the cost is computed from.
   *
   * @param name what it is, with its unit
   * @param value how much
   */
  public record Quantity(String name, double value) implements Term {}

  /**
   * The slowest of the links at one level that the job's traffic crosses.
   *
   * @param level the level of the node or domain below the link
   * @param below the node or domain below the link
   * @param links how many links the traffic crosses at this level
   * @param bytes what crosses the link in one iteration, in each direction
   * @param left the rate that is left for the job
   * @param seconds what the link needs in one iteration
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
   * A job that gets slower.
   *
   * @param job the job
   * @param extraSeconds by how much its iterations get longer
   */
  public record ContentionTerm(JobId job, double extraSeconds) implements Term {}
}
