package io.github.liquidscheduler.lab.reference.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Queues as lists: jobs that arrive or are demoted go to the tail, and after each plan the jobs
 * that run move to the head of their queue, as in the simulator of Tiresias.
 */
final class QueueTailOrder implements JobOrder {

  private final List<List<ElasticJobState>> queues;

  QueueTailOrder(int queues) {
    this.queues =
        new ArrayList<>(
            Stream.<List<ElasticJobState>>generate(ArrayList::new).limit(queues).toList());
  }

  @Override
  public void add(ElasticJobState job) {
    queues.get(job.queue()).add(job);
  }

  @Override
  public void remove(ElasticJobState job) {
    queues.get(job.queue()).remove(job);
  }

  @Override
  public void demoted(ElasticJobState job) {
    queues.get(job.queue() - 1).remove(job);
    add(job);
  }

  @Override
  public void planned() {
    queues.replaceAll(QueueTailOrder::runningFirst);
  }

  @Override
  public List<ElasticJobState> jobs() {
    return queues.stream().flatMap(List::stream).toList();
  }

  private static List<ElasticJobState> runningFirst(List<ElasticJobState> queue) {
    List<ElasticJobState> ordered =
        new ArrayList<>(queue.stream().filter(ElasticJobState::isRunning).toList());
    queue.stream().filter(job -> !job.isRunning()).forEach(ordered::add);
    return ordered;
  }
}
