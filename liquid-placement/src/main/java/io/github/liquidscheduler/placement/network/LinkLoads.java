package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Idea: each job adds its uncontended rate to every link it crosses, as whole bytes per second, and
 * enters a list of the jobs on the link, so that contention asks only jobs on shared links.
 * Invariants: load is background plus the rates of the jobs listed, exact in any order of changes
 * (NetworkLaws); jobs on a link are in order of arrival; a change ends the candidate in the
 * workspace.
 * Cost: add O(links crossed); remove O(links crossed x jobs on them); copy O(links + jobs). load and
 * count of a link O(1).
 * Rejected: rates under contention, which would depend on the order of arrival.
 */
/**
 * The bytes per second that running jobs send over each link. A job counts with its uncontended
 * traffic, so adding and removing are exact inverses in any order. Not thread-safe.
 */
public final class LinkLoads {

  private static final int[] NOBODY = {};

  private final NetworkModel model;
  private final LinkTable links;
  private final long[] load;
  private final long[] background;
  private final int[] count;
  private final int[][] jobsOn;
  private final SenderSlots senders;
  private @Nullable Workspace workspace;

  private LinkLoads(NetworkModel model, SenderSlots senders) {
    this.model = model;
    this.senders = senders;
    links = model.links();
    load = new long[links.size()];
    background = new long[links.size()];
    count = new int[links.size()];
    jobsOn = new int[links.size()][];
    Arrays.fill(jobsOn, NOBODY);
  }

  /** Returns loads without traffic. */
  public static LinkLoads none(NetworkModel model) {
    return new LinkLoads(model, new SenderSlots());
  }

  /**
   * Returns loads as a view shows them, without their jobs: each loaded link counts as shared with
   * one other job; O(nodes).
   */
  public static LinkLoads shownBy(ClusterView view, NetworkModel model) {
    LinkLoads loads = none(model);
    ClusterTopology topology = model.topology();
    for (int node = 0; node < loads.links.nodes(); node++) {
      loads.setBackground(node, view.nicLoad(topology.nodes().get(node).id()));
    }
    for (int domain = 0; domain < topology.domains().size(); domain++) {
      Bandwidth uplink = view.uplinkLoad(topology.domains().get(domain).id());
      loads.setBackground(loads.links.nodes() + domain, uplink);
    }
    return loads;
  }

  /** Sets the background traffic of a link. */
  void setBackground(int link, Bandwidth bandwidth) {
    background[link] = bandwidth.bytesPerSecond();
    load[link] = bandwidth.bytesPerSecond();
    count[link] = bandwidth.bytesPerSecond() > 0 ? 1 : 0;
  }

  /** Returns an independent copy; O(nodes + jobs). */
  public LinkLoads copy() {
    LinkLoads copy = new LinkLoads(model, senders.copy());
    System.arraycopy(load, 0, copy.load, 0, load.length);
    System.arraycopy(background, 0, copy.background, 0, load.length);
    System.arraycopy(count, 0, copy.count, 0, load.length);
    Arrays.setAll(copy.jobsOn, link -> jobsOn[link].clone());
    return copy;
  }

  /**
   * Returns the same loads in a network with other nodes or domains; these must not be used any
   * more. O(links + links crossed).
   *
   * @param changed the other network, which has all links in use
   * @param before the position in this network of each node of that one; -1 if it is new
   */
  public LinkLoads in(NetworkModel changed, int[] before) {
    int[] linkBefore = linksBefore(changed.links(), before);
    int[] linkNow = new int[links.size()];
    for (int link = 0; link < linkBefore.length; link++) {
      if (linkBefore[link] >= 0) {
        linkNow[linkBefore[link]] = link;
      }
    }
    senders.renumber(linkNow);
    LinkLoads moved = new LinkLoads(changed, senders);
    for (int link = 0; link < linkBefore.length; link++) {
      if (linkBefore[link] >= 0) {
        moved.load[link] = load[linkBefore[link]];
        moved.background[link] = background[linkBefore[link]];
        moved.count[link] = count[linkBefore[link]];
        moved.jobsOn[link] = jobsOn[linkBefore[link]];
      }
    }
    return moved;
  }

  private int[] linksBefore(LinkTable changed, int[] before) {
    int[] links = Arrays.copyOf(before, changed.size());
    for (int link = changed.nodes(); link < links.length; link++) {
      DomainId domain = changed.topology().domains().get(link - changed.nodes()).id();
      links[link] = this.links.topology().contains(domain) ? this.links.domainLink(domain) : -1;
    }
    return links;
  }

  /**
   * Adds the traffic of a job; O(links crossed).
   *
   * @throws IllegalStateException if the job was added already
   */
  public void add(Traffic traffic, TaskCounts counts) {
    if (senders.slotOf(traffic.job()) >= 0) {
      throw new IllegalStateException(
          "the traffic of job '" + traffic.job() + "' is there already");
    }
    LinkSender sender = LinkSender.of(model, traffic, counts);
    int slot = senders.add(sender);
    if (workspace != null) {
      workspace.leave(slot);
    }
    for (int i = 0; i < sender.links().length; i++) {
      int link = sender.links()[i];
      load[link] += sender.bytesPerSecond()[i];
      join(link, slot);
    }
  }

  /** Adds the traffic of a placed job, if it has any; O(tasks). */
  public void add(JobSpec job, Placement placement) {
    if (!(job.communication() instanceof Communication.None)) {
      add(Traffic.of(job), TaskCounts.of(links.topology(), job, placement));
    }
  }

  /**
   * Adds the traffic that a placed job had before, if it has any, in this order among the jobs on
   * each link; O(tasks + links crossed x jobs on them).
   */
  public void putBack(JobSpec job, Placement placement, Comparator<JobId> order) {
    add(job, placement);
    int slot = senders.slotOf(job.id());
    if (slot >= 0) {
      for (int link : sender(slot).links()) {
        putInOrder(link, order);
      }
    }
  }

  /** Moves the last job on a link to its place in an order. */
  private void putInOrder(int link, Comparator<JobId> order) {
    int[] jobs = jobsOn[link];
    int at = jobsHere(link) - 1;
    int slot = jobs[at];
    while (at > 0 && order.compare(sender(jobs[at - 1]).job(), sender(slot).job()) > 0) {
      jobs[at] = jobs[at - 1];
      at--;
    }
    jobs[at] = slot;
  }

  /** Removes the traffic of a job if it was added; as {@link #remove}. */
  public void removeIfAdded(JobId job) {
    if (!senders.isEmpty() && senders.slotOf(job) >= 0) {
      remove(job);
    }
  }

  /**
   * Removes the traffic of a job; O(links crossed x jobs on them).
   *
   * @throws IllegalStateException if the job was not added
   */
  public void remove(JobId job) {
    int slot = senders.slotOf(job);
    if (slot < 0) {
      throw new IllegalStateException("the traffic of job '" + job + "' is not there");
    }
    LinkSender sender = sender(slot);
    if (workspace != null) {
      workspace.leave(slot);
    }
    for (int i = 0; i < sender.links().length; i++) {
      int link = sender.links()[i];
      load[link] -= sender.bytesPerSecond()[i];
      leave(link, slot);
    }
    senders.remove(job);
  }

  /**
   * Returns the traffic over the network card of a node, in each direction.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public Bandwidth nicLoad(NodeId node) {
    return new Bandwidth(load[links.topology().position(node)]);
  }

  /** Returns the bytes per second over the network card of the node at a position. */
  public long nicLoad(int node) {
    return load[node];
  }

  /**
   * Returns the traffic over the uplink of a domain, in each direction.
   *
   * @throws IllegalArgumentException if there is no such domain
   */
  public Bandwidth uplinkLoad(DomainId domain) {
    return new Bandwidth(load[links.domainLink(domain)]);
  }

  /** Returns the network model. */
  public NetworkModel model() {
    return model;
  }

  /** Returns true if no job was added. */
  boolean isEmpty() {
    return senders.isEmpty();
  }

  /** Returns the rate that a candidate job gets: the rest, but at least a fair share. */
  double left(int link) {
    double rate = links.rate(link);
    return count[link] == 0 ? rate : Math.max(rate - load[link], rate / (count[link] + 1));
  }

  /** Returns the jobs that send over the link, in the order in which they were added. */
  List<JobId> jobsOn(int link) {
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < jobsHere(link); i++) {
      jobs.add(sender(jobsOn[link][i]).job());
    }
    return jobs;
  }

  /** Returns the workspace for candidates beside these loads, one at a time. */
  Workspace workspace() {
    if (workspace == null) {
      workspace = new Workspace(this);
    }
    return workspace;
  }

  /**
   * Returns the fraction by which transfers of the jobs on a link take longer beside a candidate.
   *
   * @param computeSeconds the seconds that the candidate computes in one iteration, in which it
   *     sends at most its bytes
   */
  double slower(int link, double bytes, double computeSeconds) {
    double rate = links.rate(link);
    double wanted = Math.min(rate, bytes / computeSeconds);
    if (wanted == 0 || Double.isInfinite(rate)) {
      return 0;
    }
    double before = Math.min((double) load[link], rate);
    double after = Math.max(rate - wanted, rate * count[link] / (count[link] + 1));
    return Math.max(0, before / after - 1);
  }

  /** Returns the number of slots, of which some may have no job. */
  int senders() {
    return senders.size();
  }

  /** Returns the traffic of the job of a slot. */
  LinkSender sender(int slot) {
    return senders.get(slot);
  }

  /** Returns the slot of one of the {@link #jobsHere} jobs on a link. */
  int slotOn(int link, int number) {
    return jobsOn[link][number];
  }

  /** Returns the number of jobs that send over a link. */
  int jobsHere(int link) {
    return background[link] > 0 ? count[link] - 1 : count[link];
  }

  private void join(int link, int slot) {
    int here = jobsHere(link);
    if (here == jobsOn[link].length) {
      jobsOn[link] = Arrays.copyOf(jobsOn[link], Math.max(4, 2 * here));
    }
    jobsOn[link][here] = slot;
    count[link]++;
  }

  private void leave(int link, int slot) {
    int[] jobs = jobsOn[link];
    int at = 0;
    while (jobs[at] != slot) {
      at++;
    }
    System.arraycopy(jobs, at + 1, jobs, at, jobsHere(link) - at - 1);
    count[link]--;
  }
}
