package io.github.liquidscheduler.lab.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The jobs with the least of something first, stopping others for them: remaining time ({@code
 * shortest}), remaining time by GPUs ({@code shortest-gpu}), or GPUs ({@code sjf}). Jobs that have
 * equally much keep the order of the event before, not that of arrival: the list is sorted where it
 * stands.
 */
final class LeastFirst implements CountPolicy {

  private final List<CountedJob> jobs = new ArrayList<>();
  private final Comparator<CountedJob> leastFirst;

  LeastFirst(ToLongFunction<CountedJob> amount) {
    leastFirst = Comparator.comparingLong(amount);
  }

  @Override
  public void arrived(CountedJob job) {
    jobs.add(job);
  }

  @Override
  public void finished(CountedJob job) {
    jobs.remove(job);
  }

  @Override
  public List<CountedJob> order(List<CountedJob> unfinished) {
    jobs.sort(leastFirst);
    return jobs;
  }
}
